import { describe, expect, test } from 'vitest'
import { checkAccountScope } from './account-guard.ts'

const tables = new Set(['jobs', 'printers', 'attempts', 'files'])
const check = (statement: string) => () => checkAccountScope(statement, tables)

describe('a statement that limits every account table passes', () => {
  test.each([
    'select * from jobs where account_id = $1 and id = $2',
    'select j.id from jobs j join printers p on (p.account_id, p.id) = (j.account_id, j.printer_id) where j.account_id = $1',
    'select * from jobs join printers using (account_id, printer_id) where jobs.account_id = $1',
    'insert into jobs (account_id, id) values ($1, $2) on conflict (account_id, id) do update set id = excluded.id',
    'insert into "jobs"("account_id","id")values($1,$2)',
    'update jobs set state = $1 where account_id = $2',
    'delete from public.jobs as j using printers p where j.account_id = p.account_id and p.account_id = $1',
    'with picked as (select id, account_id from jobs where account_id = $1 for update skip locked) update jobs set a = 1 from picked where jobs.account_id = picked.account_id and jobs.id = picked.id',
    'select * from jobs where account_id = $1 and exists (select 1 from attempts a where a.account_id = jobs.account_id and a.job_id = jobs.id)',
    'insert into attempts (account_id, id) select account_id, $1 from printers where account_id = $2',
    'select count(*) as jobs from accounts',
    'select $1::text is distinct from files from accounts',
  ])('%s', (statement) => {
    expect(check(statement)).not.toThrow()
  })
})

describe('a statement that leaves an account table open is refused', () => {
  test.each([
    ['select * from jobs where id = $1', 'jobs'],
    ['select account_id from jobs where id = $1 order by account_id', 'jobs'],
    ['update jobs set account_id = $1', 'jobs'],
    ['delete from jobs', 'jobs'],
    ['delete from jobs where id = $1 returning account_id', 'jobs'],
    ['insert into jobs (id) values ($1)', 'jobs'],
    ['truncate jobs', 'jobs'],
    ["select * from jobs where name = 'account_id'", 'jobs'],
    ['select * from jobs -- account_id\n where id = $1', 'jobs'],
    ['select * from jobs /* where account_id */ where id = $1', 'jobs'],
    ['select * from Jobs where id = $1', 'jobs'],
    ['select * from accounts, jobs where jobs.id = $1', 'jobs'],
    ['select * from (jobs cross join accounts)', 'jobs'],
    ['select j.id from jobs j join printers p on p.id = j.printer_id where j.account_id = $1', 'printers'],
    [
      'select * from jobs j where j.account_id = $1 and exists (select 1 from attempts a where a.job_id = j.id)',
      'attempts',
    ],
    ['select p.account_id from printers p join jobs j on j.account_id = $1 and j.account_id = $2', 'printers'],
  ])('%s', (statement, table) => {
    expect(check(statement)).toThrow(`touches ${table} without`)
  })
})

test('the refusal shows the statement', () => {
  expect(check('select 1 from jobs where id = $1')).toThrow('select 1 from jobs where id = $1')
})

test('a sweep over all accounts passes when it says why', () => {
  expect(check('/* every account: the sweep looks for lost attempts */ select * from attempts')).not.toThrow()
})

test('a sweep over all accounts without a reason is refused', () => {
  expect(check('/* every account: */ select * from attempts')).toThrow('needs a reason')
  expect(check('/* every account */ select * from attempts')).toThrow('needs a reason')
})
