-- The ways in which a job can be printed, one for each recipe that serves its SKU; the preferred one has the first position. `jobs` has
-- the values of one of them: the way that a printer took, before that the preferred one. They are open until the first plate is done.
alter table jobs add column option_position integer;

create table job_options (
  account_id text not null references accounts (id),
  job_id text not null,
  position integer not null check (position >= 0),
  recipe_id text,
  print_file_id text not null,
  file_version_id text not null,
  file_name text not null,
  color text not null,
  filament_type text not null,
  material_type text not null,
  any_color boolean not null,
  quantity_per_print integer not null check (quantity_per_print >= 1),
  plates_total integer not null check (plates_total >= 1),
  estimated_print_time_minutes integer,
  filament_needed_grams double precision,
  also_makes jsonb not null default '[]',
  primary key (account_id, job_id, position),
  foreign key (account_id, job_id) references jobs (account_id, id) on delete cascade,
  foreign key (account_id, recipe_id) references recipes (account_id, id) on delete set null (recipe_id),
  foreign key (account_id, print_file_id) references print_files (account_id, id),
  foreign key (account_id, file_version_id) references print_file_versions (account_id, id)
);
create index job_options_by_file on job_options (account_id, print_file_id);
create index job_options_by_recipe on job_options (account_id, recipe_id) where recipe_id is not null;
