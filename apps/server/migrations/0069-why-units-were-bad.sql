-- What a person said was wrong with units that they found bad, by job: the report of yield counts them under it.
create table unit_rejects (
  account_id text not null references accounts (id),
  job_id text not null,
  type text not null
    check (type in ('adhesion', 'spaghetti', 'layer_shift', 'clog', 'filament_runout', 'thermal', 'power_loss',
                    'mechanical', 'connection', 'file', 'cancelled_by_person', 'other', 'unknown')),
  -- How many plates were found so, and how many of their units.
  times integer not null check (times > 0),
  units bigint not null check (units > 0),
  primary key (account_id, job_id, type),
  foreign key (account_id, job_id) references jobs (account_id, id) on delete cascade
);
