import type { Sql } from '../../db/database.ts'

/**
 * A handle with which a query function answers the plan of its statement instead of its rows, so that a test judges the
 * very statement that the service sends. Fragments pass unchanged: only what begins with `select` or `with` is a statement.
 * `analyze` runs the statement, so that the plan tells what was read.
 */
export function explaining(sql: Sql, mode: 'plan' | 'analyze' = 'plan'): Sql {
  const explain = mode === 'analyze' ? 'explain (analyze, buffers, format json)' : 'explain (format json)'
  const tag = (first: unknown, ...rest: unknown[]): unknown => {
    const isSelect = Array.isArray(first) && 'raw' in first && /^\s*(?:select|with)\b/.test(String(first[0]))
    const text = isSelect ? [`${explain} ${first[0]}`, ...first.slice(1)] : []
    // The driver's tag is overloaded on template or helper; both are passed on as they came.
    const send = sql as unknown as (...args: unknown[]) => unknown
    return isSelect ? send(Object.assign(text, { raw: text }), ...rest) : send(first, ...rest)
  }
  return Object.assign(tag, sql) as unknown as Sql
}

/** Runs a query function that reads something out of its rows, and answers what its last statement read, by `analyze`. */
export async function analyzedPlanOf<Handle extends Sql>(
  sql: Handle,
  ask: (sql: Handle) => Promise<unknown>,
): Promise<unknown> {
  const explained = explaining(sql, 'analyze') as unknown as (...given: unknown[]) => unknown
  let plan: unknown
  const keeping = (...given: unknown[]) => {
    plan = explained(...given)
    return plan
  }
  await ask(Object.assign(keeping, sql) as unknown as Handle)
  return await plan
}

/** Answers what a plan does: its node types, and the indexes it reads. */
export function readPlan(rows: unknown): { nodes: string[]; indexes: string[] } {
  const text = JSON.stringify(rows)
  const valuesOf = (name: string) => [...text.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map((match) => match[1])
  return { nodes: valuesOf('Node Type') as string[], indexes: valuesOf('Index Name') as string[] }
}
