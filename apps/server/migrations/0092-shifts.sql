-- When a member is on shift. `weekly` is a list of `{"day", "from", "to"}`: from a time of a day (1 is Monday) to a time that is on the next day
-- when it is not later, by the clock of the account. Until `switched_until` it counts instead what the member switched to.
create table shifts (
  account_id text not null references accounts (id),
  id text not null,
  user_id text not null,
  weekly jsonb not null default '[]',
  switched_on boolean,
  switched_until timestamptz,
  updated_at timestamptz not null,
  primary key (account_id, id),
  constraint shifts_user_key unique (account_id, user_id),
  constraint shifts_user_fkey foreign key (account_id, user_id) references members (account_id, user_id) on delete cascade,
  check ((switched_on is null) = (switched_until is null))
);

-- Stands for the browsers of those who are on shift; of channels that are named and belong to a member, only theirs are told.
alter table notification_rules add column to_on_shift boolean not null default false;
-- The rule that every account starts with. As long as an account has no shifts, it tells whom it told.
update notification_rules set to_on_shift = true, to_acting_members = false
  where to_acting_members and kinds = array['needs_person'];
