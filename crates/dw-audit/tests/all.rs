mod baseline;
mod designs;
mod ebs_estate;
mod estate;
mod line;
mod recorded;
mod rules;
mod waivers;
