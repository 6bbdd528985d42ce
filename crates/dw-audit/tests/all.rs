mod designs;
mod estate;
mod line;
mod recorded;
mod rules;
mod waivers;
