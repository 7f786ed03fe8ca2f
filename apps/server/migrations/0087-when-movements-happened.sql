-- When units were made and filament was used, where the service learned of it later: the ledgers read in the order in which
-- they were written (created_at), and reports count what happened on the day on which it did.
alter table stock_movements add column happened_at timestamptz;
alter table material_movements add column happened_at timestamptz;

-- Takes the place of one by created_at alone.
create index material_movements_by_time on material_movements (account_id, (coalesce(happened_at, created_at)));
drop index material_movements_by_age;
