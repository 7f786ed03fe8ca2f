import type { UseMutationResult } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { ApiError } from '../../lib/api/api-error.ts'
import { toastDone } from '../dialogs/toast.tsx'
import { showFieldErrors } from './form-errors.ts'

/** What is used of a form of `useForm`. */
interface SubmittedForm<Values> {
  values: Values
  setErrors: (errors: Record<string, string>) => void
  onSubmit: (take: (values: Values) => void) => (event?: FormEvent<HTMLFormElement>) => void
}

interface FormSubmit<Values, Body, Result> {
  form: SubmittedForm<Values>
  mutation: Pick<UseMutationResult<Result, Error, Body>, 'mutateAsync'>
  /** What is sent of what was typed. */
  body: (values: Values) => Body
  /** The toast of a success. It is told even when the form is closed meanwhile. */
  done?: (result: Result, sent: Body) => string
  /** After a success, while the form is still there: closes it, goes on. */
  onDone?: (result: Result) => void
  /**
   * Errors that this form tells at its fields in words of its own: field → sentence, nothing for one that needs no words.
   * Undefined: told like every other.
   */
  fieldErrors?: (error: ApiError) => Record<string, string> | undefined
  /** The object of the body in which the form's fields stand; the service names a field by its whole path. */
  within?: string
}

/**
 * What every form does with its answers. Messages about fields go to their fields; `problem` is what is left to say, for
 * `<FormProblem>`.
 */
export function useFormSubmit<Values, Body, Result>(options: FormSubmit<Values, Body, Result>) {
  const { form, mutation, body, done, onDone, fieldErrors, within } = options
  const [problem, setProblem] = useState<Error>()

  function onError(error: Error) {
    const own = error instanceof ApiError ? fieldErrors?.(error) : undefined
    if (own) form.setErrors(own)
    else setProblem(showFieldErrors(form, error, within))
  }

  const submit = form.onSubmit((values) => {
    setProblem(undefined)
    const sent = body(values)
    mutation.mutateAsync(sent, { onSuccess: (result) => onDone?.(result), onError }).then(
      (result) => {
        if (done) toastDone(done(result, sent))
      },
      // `onError` has told it.
      () => undefined,
    )
  })

  return { submit, problem, setProblem }
}
