-- Which connection of a hub is the newest, whichever process holds it: a number that grows with each one that is let in. What a hub
-- reports is written while its row is held with that number, so that nothing of an older connection is written beside a newer one.
create table hub_connections (
  account_id text not null references accounts (id),
  hub_id text not null,
  epoch bigint not null,
  -- The process that holds the connection; null once it has ended.
  process_id text,
  primary key (account_id, hub_id),
  foreign key (account_id, hub_id) references hubs (account_id, id) on delete cascade
);

-- The process that holds an older connection hears of it at once, and ends it.
create function tell_connected_hub() returns trigger language plpgsql as $$
begin
  perform tell_change(new.hub_id);
  return null;
end $$;
create trigger hub_connections_tell after insert or update of epoch on hub_connections
  for each row execute function tell_connected_hub();
