/** Reason why a sign-in by the provider came to nothing, as the sign-in page is told in `problem`. */
export const oidcProblems = [
  'oidc_not_configured',
  'oidc_unavailable',
  'oidc_expired',
  'oidc_refused',
  'oidc_email_unverified',
  'oidc_other_address',
  'oidc_other_person',
  'oidc_not_fresh',
  'oidc_unknown_person',
] as const
type OidcProblemCode = (typeof oidcProblems)[number]

/** A browser on its way through the provider cannot be given an error in JSON: it is led back with this. */
export class OidcProblem extends Error {
  readonly problem: OidcProblemCode

  constructor(problem: OidcProblemCode, options?: ErrorOptions) {
    super(problem, options)
    this.name = 'OidcProblem'
    this.problem = problem
  }
}
