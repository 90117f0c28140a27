//! How each game's positions and moves are numbered: one file for each game.

mod colonnade;
mod colossus;
mod columna;
mod impasse;
mod palisade;
