-- Lists of tasks begin with what presses most, the newest of each priority first.
create index worklist_tasks_by_priority on worklist_tasks
  (account_id, (case priority when 'high' then 3 when 'medium' then 2 else 1 end) desc, created_at desc, id desc);
drop index worklist_tasks_by_age, worklist_tasks_by_status, worklist_tasks_by_assignee, worklist_tasks_by_printer;
create index worklist_tasks_by_status on worklist_tasks
  (account_id, status, (case priority when 'high' then 3 when 'medium' then 2 else 1 end) desc, created_at desc, id desc);
create index worklist_tasks_by_assignee on worklist_tasks
  (account_id, assigned_to, (case priority when 'high' then 3 when 'medium' then 2 else 1 end) desc, created_at desc, id desc);
create index worklist_tasks_by_printer on worklist_tasks
  (account_id, printer_id, (case priority when 'high' then 3 when 'medium' then 2 else 1 end) desc, created_at desc, id desc);

-- The article that goes with a product, before those that name it themselves.
alter table products add column wiki_id text;
alter table products add constraint products_wiki_fkey foreign key (account_id, wiki_id)
  references wiki_articles (account_id, id) on delete set null (wiki_id);
create index products_by_article on products (account_id, wiki_id) where wiki_id is not null;
