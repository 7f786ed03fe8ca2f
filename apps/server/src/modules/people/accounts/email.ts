/**
 * Answers what is wrong with an e-mail address, in words for the one who typed it; undefined when nothing is. Only a mail to the
 * address can tell whether it is right; this catches what cannot be one.
 */
export function findEmailProblem(email: string): string | undefined {
  // What separates and quotes addresses in a mail stands in none: one address must not become several.
  const form = /^[^\s@<>()[\]\\,;:"]+@[^\s@<>()[\]\\,;:"]+$/
  return form.test(email) && email.length <= 254 ? undefined : `"${email}" is not an e-mail address.`
}

/** The address and what stands before its @: what others know of anyone who has it. */
export function namesInEmail(email: string): string[] {
  return [email, email.split('@')[0] ?? '']
}
