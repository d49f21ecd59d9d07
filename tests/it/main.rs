mod commands;
mod wire;
