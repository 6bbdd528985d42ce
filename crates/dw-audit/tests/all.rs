mod designs;
mod estate;
mod line;
mod rules;
mod waivers;
