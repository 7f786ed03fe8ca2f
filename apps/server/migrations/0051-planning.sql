-- How much of a SKU is to be on the shelf: with `restock_point` or less there and on its way, it is filled up to `restock_to`.
alter table skus
  add column restock_point integer,
  add column restock_to integer,
  add column auto_produce boolean not null default false,
  add constraint skus_restock
    check ((restock_point is null) = (restock_to is null) and restock_point >= 0 and restock_to > restock_point);
create index skus_restocked on skus (account_id, id) where restock_to is not null;

-- What is queued without being asked for: nothing, what is mapped and paid, or all.
alter table order_settings
  add column auto_produce text not null default 'off' check (auto_produce in ('off', 'paid', 'always'));
alter table orders add column is_paid boolean not null default true;

-- What is made for one order item alone.
alter table jobs
  add column order_item_id text,
  add foreign key (account_id, order_item_id) references order_items (account_id, id);
create index jobs_by_order_item on jobs (account_id, order_item_id) where order_item_id is not null;
alter table assembly_tasks
  add column order_item_id text,
  add foreign key (account_id, order_item_id) references order_items (account_id, id);
create index assembly_tasks_by_order_item on assembly_tasks (account_id, order_item_id) where order_item_id is not null;

-- Lines of a SKU that is planned again, those among them that were just fulfilled.
create index order_items_by_sku on order_items (account_id, product_sku_id, order_id) where product_sku_id is not null;

-- The last plan: which demand holds how many units of which supply. Written by the planner alone, and always as a whole for the
-- SKUs that a change concerns. `demand_id` is an order item or, of a restock, the SKU; `supply_id` the SKU of the stock, the job or
-- the assembly task.
create table pegs (
  account_id text not null references accounts (id),
  demand_kind text not null check (demand_kind in ('order_item', 'restock')),
  demand_id text not null,
  product_sku_id text not null,
  supply_kind text not null check (supply_kind in ('ready_stock', 'needs_assembly', 'job', 'assembly_task')),
  supply_id text not null,
  units bigint not null check (units >= 1),
  primary key (account_id, demand_id, product_sku_id, supply_kind, supply_id)
);
create index pegs_by_sku on pegs (account_id, product_sku_id, supply_kind);
create index pegs_by_supply on pegs (account_id, supply_id, supply_kind);

-- Pegs that stay until they are taken off: set by a person, or units that were made for one order item alone.
create table pinned_pegs (
  account_id text not null references accounts (id),
  id text not null,
  order_item_id text not null,
  product_sku_id text not null,
  supply_kind text not null check (supply_kind in ('ready_stock', 'needs_assembly', 'job')),
  supply_id text not null,
  units bigint not null check (units >= 1),
  actor text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (account_id, id),
  foreign key (account_id, order_item_id) references order_items (account_id, id) on delete cascade,
  foreign key (account_id, product_sku_id) references skus (account_id, id),
  constraint pinned_pegs_key unique (account_id, order_item_id, product_sku_id, supply_kind, supply_id)
);
create index pinned_pegs_by_sku on pinned_pegs (account_id, product_sku_id);

-- How far the open units of each order item were in the last plan. `blockers`: what keeps units from being made.
create table order_item_states (
  account_id text not null references accounts (id),
  order_item_id text not null,
  state text not null check (state in ('reserved', 'to_assemble', 'on_live_job', 'to_print', 'blocked')),
  position integer not null,
  units bigint not null check (units >= 1),
  expected_at timestamptz,
  blockers jsonb not null default '[]',
  primary key (account_id, order_item_id, position),
  foreign key (account_id, order_item_id) references order_items (account_id, id) on delete cascade
);

-- What the units of an order said of its status at the last plan. A person may set another one; it stays until this one changes.
create table order_progress (
  account_id text not null references accounts (id),
  order_id text not null,
  status text not null check (status in ('pending', 'processing', 'printed', 'assembled')),
  primary key (account_id, order_id),
  foreign key (account_id, order_id) references orders (account_id, id) on delete cascade
);

-- Components of which the last plan had too few: the SKUs that take them are planned together.
create table scarce_materials (
  account_id text not null references accounts (id),
  material_id text not null,
  primary key (account_id, material_id),
  foreign key (account_id, material_id) references materials (account_id, id) on delete cascade
);

-- SKUs that are to be planned again, null for all of an account. Rows are only added, in the transaction of the change, so that no
-- change waits for the planner; it deletes those that it has seen in the transaction that writes its plan. So none is lost.
create table replan_requests (
  account_id text not null references accounts (id),
  position bigint generated always as identity,
  product_sku_id text,
  primary key (account_id, position)
);

-- What changes demand or supply asks for a plan, whatever way the change came. Statements ask once for each SKU.
create function request_replan_of_movements() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select distinct i.account_id, i.product_sku_id
  from changed m join inventory_items i on i.account_id = m.account_id and i.id = m.inventory_item_id;
  return null;
end $$;
create trigger stock_movements_replan after insert on stock_movements
  referencing new table as changed for each statement execute function request_replan_of_movements();

create function request_replan_of_sku_rows() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select distinct account_id, product_sku_id from changed where product_sku_id is not null;
  return null;
end $$;
create trigger order_items_replan_new after insert on order_items
  referencing new table as changed for each statement execute function request_replan_of_sku_rows();
create trigger order_items_replan_old after delete on order_items
  referencing old table as changed for each statement execute function request_replan_of_sku_rows();
create trigger job_outputs_replan_new after insert on job_outputs
  referencing new table as changed for each statement execute function request_replan_of_sku_rows();
create trigger job_outputs_replan_old after delete on job_outputs
  referencing old table as changed for each statement execute function request_replan_of_sku_rows();
create trigger assembly_tasks_replan_new after insert on assembly_tasks
  referencing new table as changed for each statement execute function request_replan_of_sku_rows();
create trigger assembly_tasks_replan_old after delete on assembly_tasks
  referencing old table as changed for each statement execute function request_replan_of_sku_rows();
create trigger pinned_pegs_replan_new after insert on pinned_pegs
  referencing new table as changed for each statement execute function request_replan_of_sku_rows();
create trigger pinned_pegs_replan_old after delete on pinned_pegs
  referencing old table as changed for each statement execute function request_replan_of_sku_rows();

create function request_replan_of_both() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select account_id, product_sku_id from before where product_sku_id is not null
  union
  select account_id, product_sku_id from changed where product_sku_id is not null;
  return null;
end $$;
create trigger order_items_replan after update on order_items
  referencing old table as before new table as changed for each statement execute function request_replan_of_both();
create trigger job_outputs_replan after update on job_outputs
  referencing old table as before new table as changed for each statement execute function request_replan_of_both();
create trigger assembly_tasks_replan after update on assembly_tasks
  referencing old table as before new table as changed for each statement execute function request_replan_of_both();
create trigger pinned_pegs_replan after update on pinned_pegs
  referencing old table as before new table as changed for each statement execute function request_replan_of_both();

-- Of an order only what decides its place and whether it still wants anything; of a job only what moves units, not its progress,
-- which comes with every report; of a SKU what decides how it is made.
create function request_replan_of_order() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select distinct i.account_id, i.product_sku_id from order_items i
  where i.account_id = new.account_id and i.order_id = new.id and i.product_sku_id is not null;
  return null;
end $$;
create trigger orders_replan after update on orders for each row
  when ((new.status in ('shipped', 'fulfilled', 'cancelled', 'refunded'), new.ship_by, new.priority, new.order_date, new.is_paid)
    is distinct from
    (old.status in ('shipped', 'fulfilled', 'cancelled', 'refunded'), old.ship_by, old.priority, old.order_date, old.is_paid))
  execute function request_replan_of_order();

create function request_replan_of_job() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select u.account_id, u.product_sku_id from job_outputs u where u.account_id = new.account_id and u.job_id = new.id;
  return null;
end $$;
create trigger jobs_replan after update on jobs for each row
  when ((new.status, new.plates_done, new.plates_total, new.order_item_id)
    is distinct from (old.status, old.plates_done, old.plates_total, old.order_item_id))
  execute function request_replan_of_job();

create function request_replan_of_sku() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id) values (new.account_id, new.id);
  return null;
end $$;
create trigger skus_replan after update on skus for each row
  when ((new.is_active, new.restock_point, new.restock_to, new.auto_produce, new.filament_type)
    is distinct from (old.is_active, old.restock_point, old.restock_to, old.auto_produce, old.filament_type))
  execute function request_replan_of_sku();

create function request_replan_of_recipes() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select distinct s.account_id, s.id
  from changed r
  join skus s on s.account_id = r.account_id and s.product_id = r.product_id
    and (r.product_sku_id is null or r.product_sku_id = s.id);
  return null;
end $$;
create trigger recipes_replan_new after insert on recipes
  referencing new table as changed for each statement execute function request_replan_of_recipes();
create trigger recipes_replan after update on recipes
  referencing new table as changed for each statement execute function request_replan_of_recipes();
create trigger recipes_replan_old after delete on recipes
  referencing old table as changed for each statement execute function request_replan_of_recipes();
create trigger recipe_outputs_replan_new after insert on recipe_outputs
  referencing new table as changed for each statement execute function request_replan_of_sku_rows();
create trigger recipe_outputs_replan_old after delete on recipe_outputs
  referencing old table as changed for each statement execute function request_replan_of_sku_rows();

create function request_replan_of_boms() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id) select distinct account_id, sku_id from changed;
  return null;
end $$;
create trigger bom_children_replan_new after insert on bom_children
  referencing new table as changed for each statement execute function request_replan_of_boms();
create trigger bom_children_replan after update on bom_children
  referencing new table as changed for each statement execute function request_replan_of_boms();
create trigger bom_children_replan_old after delete on bom_children
  referencing old table as changed for each statement execute function request_replan_of_boms();
create trigger bom_materials_replan_new after insert on bom_materials
  referencing new table as changed for each statement execute function request_replan_of_boms();
create trigger bom_materials_replan after update on bom_materials
  referencing new table as changed for each statement execute function request_replan_of_boms();
create trigger bom_materials_replan_old after delete on bom_materials
  referencing old table as changed for each statement execute function request_replan_of_boms();

create function request_replan_of_materials() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select distinct b.account_id, b.sku_id
  from changed m join bom_materials b on b.account_id = m.account_id and b.material_id = m.material_id;
  return null;
end $$;
create trigger material_movements_replan after insert on material_movements
  referencing new table as changed for each statement execute function request_replan_of_materials();

-- Which recipes a printer of the farm can print, and what a file is, is a matter of many SKUs: the account is planned again.
create function request_replan_of_account() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id) values (new.account_id);
  return null;
end $$;
create trigger printers_replan after update on printers for each row
  when ((new.model, new.is_active) is distinct from (old.model, old.is_active))
  execute function request_replan_of_account();
create trigger order_settings_replan after insert or update on order_settings for each row
  execute function request_replan_of_account();
create function request_replan_of_accounts() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id) select distinct account_id from changed;
  return null;
end $$;
create trigger printers_replan_new after insert on printers
  referencing new table as changed for each statement execute function request_replan_of_accounts();
create trigger printers_replan_old after delete on printers
  referencing old table as changed for each statement execute function request_replan_of_accounts();

create function request_replan_of_files() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select distinct s.account_id, s.id
  from changed f
  join recipes r on r.account_id = f.account_id and r.print_file_id = f.print_file_id
  join skus s on s.account_id = r.account_id and s.product_id = r.product_id
    and (r.product_sku_id is null or r.product_sku_id = s.id);
  return null;
end $$;
create trigger print_file_versions_replan_new after insert on print_file_versions
  referencing new table as changed for each statement execute function request_replan_of_files();
create trigger print_file_versions_replan after update on print_file_versions
  referencing new table as changed for each statement execute function request_replan_of_files();

-- What was there before is planned once.
insert into replan_requests (account_id) select id from accounts;
