import type { Context } from '../context/context.ts'
import type { AccountId } from '../kernel/ids.ts'
import { createFrameBudget, type FrameBudget, limitsOfAccount } from './frame-budget.ts'

interface Shared {
  budget: FrameBudget
  connections: number
}

const makeBudgets = () => new Map<string, Shared>()

/** The budget that the connections of one account share; it is kept for as long as one of them is open. */
export function takeAccountBudget(
  { memory }: Pick<Context, 'memory'>,
  accountId: AccountId,
): { budget: FrameBudget; leave(): void } {
  const budgets = memory.hold(makeBudgets, undefined)
  const shared = budgets.get(accountId) ?? { budget: createFrameBudget(limitsOfAccount), connections: 0 }
  budgets.set(accountId, shared)
  shared.connections += 1
  let hasLeft = false
  return {
    budget: shared.budget,
    leave() {
      if (hasLeft) return
      hasLeft = true
      shared.connections -= 1
      if (shared.connections === 0 && budgets.get(accountId) === shared) budgets.delete(accountId)
    },
  }
}
