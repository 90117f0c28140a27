//! What the engine knows of each game: one file a game, each with the same parts. The terms of its
//! evaluation come first, then how moves are told apart and ordered, then how playouts go.

mod colonnade;
mod colossus;
mod columna;
mod impasse;
mod palisade;
