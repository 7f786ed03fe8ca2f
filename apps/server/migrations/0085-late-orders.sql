-- Whether an order was told to be late: it has not left by the time it must.
alter table order_forecasts add column is_late boolean not null default false;
