mod desk;
mod fake;
mod keys;
mod screens;
mod told;
mod update;
