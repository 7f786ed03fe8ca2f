import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Context } from '../../../context/context.ts'
import { validationError } from '../../../kernel/errors.ts'
import { readId, type ShopId } from '../../../kernel/ids.ts'
import type { Work } from '../../events/work.ts'
import { ShopProblem } from '../connectors/contract/shop-problem.ts'
import { askTokens } from '../connectors/etsy/api.ts'
import { openShop } from './open-shop.ts'
import { tokensOf } from './shop-secrets.ts'
import { writeTokens } from './shop-tokens.ts'
import { type ShopRow, updateShop } from './shops.queries.ts'

const authorisePage = 'https://www.etsy.com/oauth/connect'

/** What Printyard reads and writes there; docs/shops.md says what for. */
const scopes = 'transactions_r transactions_w listings_r listings_w shops_r'

/** Time that a person may take at the shop. */
const stateMs = 30 * 60_000

/** Person who asked; another person's browser cannot end what this one began. */
type Asker = string

/** Answers where the shop sends the browser back to. It must be registered there, exactly so. */
function redirectUri({ publicUrl }: Pick<Context['config'], 'publicUrl'>): string {
  if (!publicUrl?.startsWith('https://')) {
    throw validationError({ _root: ['Etsy lets in only services whose PRINTYARD_PUBLIC_URL begins with https://'] })
  }
  return new URL('/settings/shops', publicUrl).href
}

/** The page of the shop on which a person lets us in. */
export function authorisationUrl(context: Context, row: ShopRow, asker: Asker): string {
  if (row.platform !== 'etsy') throw validationError({ _root: ['shops of this kind are let in by their keys alone'] })
  const { shop } = openShop(context, row)
  const nonce = randomBytes(12).toString('base64url')
  const until = context.clock.now().getTime() + stateMs
  const bare = `${row.id}.${nonce}.${until}`
  const url = new URL(authorisePage)
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: shop.settings.keystring ?? '',
    redirect_uri: redirectUri(context.config),
    scope: scopes,
    state: `${bare}.${signatureOf(context, bare, asker)}`,
    code_challenge: createHash('sha256').update(verifierOf(context, bare)).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString()
  return url.href
}

/** The shop that a state is of. @throws AppError `VALIDATION_ERROR` for one that we did not make, for another person, or too long ago */
export function shopOfState(context: Context, state: string, asker: Asker): { shopId: ShopId; bare: string } {
  const [id = '', nonce = '', until = '', signature = ''] = state.split('.')
  const bare = `${id}.${nonce}.${until}`
  const wanted = Buffer.from(signatureOf(context, bare, asker))
  const given = Buffer.from(signature)
  const isOurs = given.length === wanted.length && timingSafeEqual(given, wanted)
  const shopId = readId('shop', id)
  if (!isOurs || shopId === undefined || Number(until) < context.clock.now().getTime()) {
    throw validationError({ state: ['is not of a connection that you began within the last half hour: begin again'] })
  }
  return { shopId, bare }
}

/** Takes the code that the shop gave the browser, and asks for tokens by it. @throws AppError `VALIDATION_ERROR` with what the shop says */
export async function askForTokens(context: Context, row: ShopRow, { bare, code }: { bare: string; code: string }) {
  const { client, shop } = openShop(context, row)
  try {
    return await askTokens(client, shop, {
      grant_type: 'authorization_code',
      code,
      code_verifier: verifierOf(context, bare),
      redirect_uri: redirectUri(context.config),
    })
  } catch (error) {
    if (error instanceof ShopProblem) throw validationError({ code: [error.message] })
    throw error
  }
}

/** Keeps tokens that a person has given; the shop is read now. */
export async function letIn(
  { secrets }: Pick<Context, 'secrets'>,
  work: Work,
  row: ShopRow,
  tokens: Awaited<ReturnType<typeof askForTokens>>,
): Promise<ShopRow> {
  await writeTokens(work.sql, row, secrets.seal(tokens, tokensOf(row.id)))
  const changed = await updateShop(work, row.id, {
    ...{ paused_at: null, failures: 0, failing_since: null, problem: null },
  })
  await work.record({ type: 'shop.updated', subjectId: row.id, data: { fields: ['tokens'] } })
  return changed
}

const signatureOf = ({ secrets }: Context, bare: string, asker: Asker) =>
  secrets.sign(`shop authorisation ${asker} ${bare}`)

/** The secret of PKCE: known to this service alone, and not stored. */
const verifierOf = ({ secrets }: Context, bare: string) => secrets.sign(`shop verifier ${bare}`)
