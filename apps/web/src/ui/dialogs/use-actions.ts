import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Question, useConfirm } from './confirm.tsx'
import { toastDone, toastFailed } from './toast.tsx'

/** Something that a button does with one thing. */
interface Action {
  /** The id of the thing. */
  id: string
  /** Asked before; left out where nothing moves or is lost. */
  question?: Question
  call: () => Promise<unknown>
  /** The toast of a success: `Bench 3 is paused`. Left out where the page itself shows it. */
  done?: string
  /** The title of the toast of a failure: `Bench 3 could not be paused`. */
  failed: string
}

/** Does actions one at a time: asks first, tells what came of it, and has what stands under the keys read again. */
export function useActions(...touchedKeys: readonly string[]) {
  const confirm = useConfirm()
  const queryClient = useQueryClient()
  const [busyId, setBusyId] = useState<string>()

  /** Answers whether it was done. */
  async function perform({ id, question, call, done, failed }: Action): Promise<boolean> {
    if (question && !(await confirm(question))) return false
    setBusyId(id)
    try {
      await call()
      if (done !== undefined) toastDone(done)
      return true
    } catch (error) {
      toastFailed(failed, error)
      return false
    } finally {
      setBusyId(undefined)
      for (const key of touchedKeys) void queryClient.invalidateQueries({ queryKey: [key] })
    }
  }

  return {
    /** The thing that something is being done with. */
    busyId,
    perform,
  }
}
