-- A command to a hub that is connected to another process is given to the hub by that process, or given up by the one that asked:
-- the one that sets this first counts. Null for commands that are given by the process that wrote them.
alter table commands add column routed_at timestamptz;
