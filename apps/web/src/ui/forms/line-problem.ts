import type { FormErrors } from '@mantine/form'

/** What is to be said over a form, with what the service says of its lists of lines: a list has no place of its own for it. */
export function lineProblem(
  problem: Error | undefined,
  errors: FormErrors,
  lists: readonly string[],
): Error | undefined {
  const texts = lists.flatMap((name) => (typeof errors[name] === 'string' ? [`${errors[name]}.`] : []))
  if (texts.length === 0) return problem
  return new Error([...(problem ? [problem.message] : []), ...texts].join(' '))
}
