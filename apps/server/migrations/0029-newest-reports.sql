-- The last reports of attempts that were stored for each hub, by the IDs of their messages, the newest at the end: a hub
-- whose journal does not know the newest has lost what came after. Empty while the hub does not say what it knows.
alter table hubs
  add column newest_reports text[] not null default '{}';
