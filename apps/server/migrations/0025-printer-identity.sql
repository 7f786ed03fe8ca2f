-- What of a connection tells which printer it reaches: a printer that a hub finds on its network is compared with those that
-- are there already. Nothing of it is secret; null of printers whose connection was last set before this migration.
alter table printers
  add column connection_serial text,
  add column connection_host text,
  add column connection_port integer;
create index printers_by_connection_serial on printers (account_id, connection_serial)
  where connection_serial is not null;
create index printers_by_connection_host on printers (account_id, connection_host)
  where connection_host is not null;
