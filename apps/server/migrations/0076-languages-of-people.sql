-- The language in which a person reads the dashboard, by its ISO 639 code; null: as each of their browsers asks for.
alter table users add column language text check (language ~ '^[a-z]{2}$');
