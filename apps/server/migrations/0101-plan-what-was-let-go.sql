-- What a change takes apart is planned on both sides: a SKU that is in no bill, on no plate or of no scarce component with the others any
-- more is not connected with them, and kept what was planned for it while it was.
create function request_replan_of_children() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select account_id, sku_id from changed
  union
  select account_id, child_sku_id from changed;
  return null;
end $$;
create or replace trigger bom_children_replan_old after delete on bom_children
  referencing old table as changed for each statement execute function request_replan_of_children();

create function request_replan_of_changed_children() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select account_id, sku_id from before
  union
  select account_id, child_sku_id from before
  union
  select account_id, sku_id from changed;
  return null;
end $$;
create or replace trigger bom_children_replan after update on bom_children
  referencing old table as before new table as changed for each statement execute function request_replan_of_changed_children();

-- Components connect only those who wait for one that is scarce.
create function request_replan_of_rivals() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select account_id, sku_id from changed
  union
  select b.account_id, b.sku_id
  from changed c
  join scarce_materials s on s.account_id = c.account_id and s.material_id = c.material_id
  join bom_materials b on b.account_id = s.account_id and b.material_id = s.material_id;
  return null;
end $$;
create or replace trigger bom_materials_replan_old after delete on bom_materials
  referencing old table as changed for each statement execute function request_replan_of_rivals();

-- A recipe that is used no more, or again, concerns all that comes from its plate.
create or replace function request_replan_of_recipes() returns trigger language plpgsql as $$
begin
  insert into replan_requests (account_id, product_sku_id)
  select s.account_id, s.id
  from (select distinct account_id, product_id, product_sku_id from changed where product_sku_id is not null) r
  join skus s on s.account_id = r.account_id and s.id = r.product_sku_id and s.product_id = r.product_id
  union
  select s.account_id, s.id
  from (select distinct account_id, product_id from changed where product_sku_id is null) r
  join skus s on s.account_id = r.account_id and s.product_id = r.product_id
  union
  select o.account_id, o.product_sku_id
  from changed r join recipe_outputs o on o.account_id = r.account_id and o.recipe_id = r.id;
  return null;
end $$;

-- What was kept so is planned once.
insert into replan_requests (account_id) select id from accounts;
