-- The recipe by which a job was made. It may be deleted: the job keeps what it yields.
alter table jobs add column recipe_id text;
alter table jobs add constraint jobs_recipe_fkey foreign key (account_id, recipe_id)
  references recipes (account_id, id) on delete set null (recipe_id);
create index jobs_by_recipe on jobs (account_id, recipe_id) where recipe_id is not null;

-- What a job yields of each SKU. The main output is that of `jobs.product_sku_id`. `units` are those that go into stock when the
-- job is completed, but for rejected ones: of a job by a recipe all of its plates, of any other just the units that it must yield.
create table job_outputs (
  account_id text not null references accounts (id),
  job_id text not null,
  product_sku_id text not null,
  is_main boolean not null,
  units_per_plate integer not null check (units_per_plate >= 1),
  units bigint not null check (units >= 1),
  units_credited bigint not null default 0 check (units_credited >= 0),
  units_rejected bigint not null default 0 check (units_rejected >= 0),
  requires_assembly boolean not null default false,
  primary key (account_id, job_id, product_sku_id),
  foreign key (account_id, job_id) references jobs (account_id, id) on delete cascade,
  foreign key (account_id, product_sku_id) references skus (account_id, id)
);
create unique index job_outputs_main_key on job_outputs (account_id, job_id) where is_main;
create index job_outputs_by_sku on job_outputs (account_id, product_sku_id, job_id);

insert into job_outputs
  (account_id, job_id, product_sku_id, is_main, units_per_plate, units, units_credited, units_rejected, requires_assembly)
select j.account_id, j.id, j.product_sku_id, true, j.quantity_per_print, j.number_of_units, coalesce(credited.units, 0),
       j.units_rejected, j.requires_assembly
from jobs j
left join (
  select m.account_id, m.job_id, sum(m.change) as units
  from stock_movements m
  where m.reason = 'job_completed' and m.job_id is not null
  group by m.account_id, m.job_id
) credited on credited.account_id = j.account_id and credited.job_id = j.id
where j.product_sku_id is not null;
