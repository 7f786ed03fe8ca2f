-- Units of a SKU that are to be put together. Those of a job (`job_id`) were credited as needing assembly when it was
-- completed. `quantity` counts all units, also those that are done or rejected by now.
create table assembly_tasks (
  account_id text not null references accounts (id),
  id text not null,
  kind text not null check (kind in ('print_assembly', 'kit_assembly')),
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'cancelled')),
  product_sku_id text not null,
  product_name text not null,
  sku text not null,
  quantity integer not null check (quantity >= 0),
  quantity_completed integer not null default 0,
  quantity_rejected integer not null default 0,
  job_id text,
  assigned_to text,
  notes text not null default '',
  created_by text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  completed_at timestamptz,
  primary key (account_id, id),
  foreign key (account_id, product_sku_id) references skus (account_id, id),
  constraint assembly_tasks_assignee_fkey foreign key (account_id, assigned_to) references members (account_id, user_id)
    on delete set null (assigned_to),
  constraint assembly_tasks_quantities
    check (quantity_completed >= 0 and quantity_rejected >= 0 and quantity_completed + quantity_rejected <= quantity)
);
create index assembly_tasks_by_age on assembly_tasks (account_id, created_at desc, id desc);
create index assembly_tasks_by_job on assembly_tasks (account_id, job_id) where job_id is not null;

alter table stock_movements
  drop constraint stock_movements_reason_check,
  add constraint stock_movements_reason_check
    check (reason in
      ('job_completed', 'units_rejected', 'assembled', 'order_fulfilled', 'manual', 'inventory_count', 'correction',
       'damaged', 'returned'));
