-- One thing for a person to do with their hands. `assigned_to` is the user ID of a member of the account: who leaves the
-- account leaves their tasks to nobody.
create table worklist_tasks (
  account_id text not null references accounts (id),
  id text not null,
  title text not null,
  subtitle text not null default '',
  description text not null default '',
  task_type text not null
    check (task_type in ('assembly', 'filament_change', 'collection', 'maintenance', 'quality_check')),
  priority text not null default 'medium' check (priority in ('low', 'medium', 'high')),
  status text not null default 'pending' check (status in ('pending', 'in_progress', 'completed', 'cancelled')),
  printer_id text,
  assigned_to text,
  estimated_time_minutes double precision check (estimated_time_minutes >= 0),
  actual_time_minutes double precision check (actual_time_minutes >= 0),
  started_at timestamptz,
  completed_at timestamptz,
  due_date timestamptz,
  created_by text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint worklist_tasks_printer_fkey foreign key (account_id, printer_id) references printers (account_id, id),
  constraint worklist_tasks_assignee_fkey foreign key (account_id, assigned_to) references members (account_id, user_id)
    on delete set null (assigned_to),
  constraint worklist_tasks_completion check ((status = 'completed') = (completed_at is not null))
);
create index worklist_tasks_by_age on worklist_tasks (account_id, created_at desc, id desc);
create index worklist_tasks_by_status on worklist_tasks (account_id, status, created_at desc, id desc);
create index worklist_tasks_by_assignee on worklist_tasks (account_id, assigned_to, created_at desc, id desc);
create index worklist_tasks_by_printer on worklist_tasks (account_id, printer_id, created_at desc, id desc);

-- Who gets a new task that names nobody: one row per task type, and a fallback row without one for all other types. A row
-- outlives the membership of the user it names, on purpose: it then assigns nobody, instead of letting the fallback in.
create table task_assignment_defaults (
  account_id text not null references accounts (id),
  id text not null,
  task_type text check (task_type in ('assembly', 'filament_change', 'collection', 'maintenance', 'quality_check')),
  assigned_to text not null references users (id),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (account_id, id),
  constraint task_assignment_defaults_type_key unique nulls not distinct (account_id, task_type)
);
