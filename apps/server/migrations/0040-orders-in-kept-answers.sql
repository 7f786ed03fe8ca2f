-- The orders that a kept answer shows, so that it is emptied with their customer. Null: kept before this was noted.
alter table idempotency_keys add column order_ids text[];
