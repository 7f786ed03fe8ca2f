import { t } from '../../lib/i18n/t.ts'

const sentences: Record<string, string> = {
  oidc_not_configured: t('Sign-in by a provider is not set up here.'),
  oidc_unavailable: t('The provider does not answer. Try again, or sign in with your password.'),
  oidc_expired: t('The sign-in took too long, or was started in another browser. Start again.'),
  oidc_refused: t('Sign-in by the provider was refused, there or here. Try again, or ask who runs this service.'),
  oidc_email_unverified: t('The provider does not vouch for your email address. Confirm it there first.'),
  oidc_other_address: t('The invitation is for another email address than the one the provider knows.'),
  oidc_not_fresh: t(
    'The provider let you pass without asking who you are, so it proves nothing. Sign out there, then try again.',
  ),
  oidc_other_person: t('This email address belongs to a member who signs in at the provider as another person.'),
  oidc_unknown_person: t(
    'Your email address is not known here, or you are a member of no account. Ask an owner or admin for an invitation.',
  ),
}

/** Why the way through the provider ended here, by the code in the address; a code of a later service is told as it is. */
export function explainProviderProblem(code: string): string {
  return sentences[code] ?? t('Sign-in by the provider failed ({code}).', { code: code.slice(0, 60) })
}
