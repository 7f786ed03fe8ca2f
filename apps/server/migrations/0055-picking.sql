-- Where a SKU lies: the name of a shelf or box.
alter table inventory_items add column bin text not null default '';

-- Units that were taken off the shelf for a line of an order and have not left yet. They are ready stock until they do.
create table order_picks (
  account_id text not null references accounts (id),
  order_item_id text not null,
  order_id text not null,
  units bigint not null check (units >= 1),
  actor text not null,
  updated_at timestamptz not null,
  primary key (account_id, order_item_id),
  foreign key (account_id, order_item_id) references order_items (account_id, id) on delete cascade,
  foreign key (account_id, order_id) references orders (account_id, id) on delete cascade
);
create index order_picks_by_order on order_picks (account_id, order_id);

-- Taking an order off the shelves, and making its parcel, are tasks about the order.
alter table worklist_tasks
  drop constraint worklist_tasks_source_check,
  add constraint worklist_tasks_source_check
    check (source in ('person', 'plate', 'unknown_fate', 'printer_error', 'hub_silent', 'print_hours', 'assembly', 'health',
                      'out_of_reach', 'second_copy', 'filament', 'product', 'pick', 'pack'));

-- Orders of which something is still to leave, for what follows them.
create index orders_unshipped on orders (account_id, id) where status in ('pending', 'processing', 'printed', 'assembled');
