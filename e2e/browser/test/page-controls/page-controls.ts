import type { RouteName } from '@printyard/web/lib/api/api-routes'
import type { Control, PageControls } from './control.ts'
import { floorControls } from './floor-controls.ts'
import { goodsControls } from './goods-controls.ts'
import { jobControls } from './job-controls.ts'
import { knowledgeControls } from './knowledge-controls.ts'
import { orderControls } from './order-controls.ts'
import { overviewControls } from './overview-controls.ts'
import { printerControls } from './printer-controls.ts'
import { settingsControls } from './settings-controls.ts'
import { visitorControls } from './visitor-controls.ts'

/** Every page of the router. What is not named here is not there; what names routes is there for `who`, who alone may call them. */
export const pageControls: PageControls = {
  ...visitorControls,
  ...overviewControls,
  ...printerControls,
  ...jobControls,
  ...goodsControls,
  ...orderControls,
  ...floorControls,
  ...knowledgeControls,
  ...settingsControls,
}

/** Routes that no one presses a control for that others may not: before sign-in, and of one's own. */
export const routesOfTheirOwn: readonly RouteName[] = [
  'POST /setup',
  'POST /sign-in',
  'POST /password/forgot',
  'POST /password/reset',
  'POST /invitations/look',
  'POST /invitations/accept',
  'PUT /session/account',
  'POST /oidc/start',
  'POST /oidc/invitations/accept',
  'POST /passkeys/sign-in/options',
  'POST /passkeys/sign-in',
  'POST /proof',
  'POST /proof/passkey/options',
  'POST /proof/passkey',
  'POST /proof/provider',
]

/** Every control of the table that names routes. */
export const callingControls: readonly Control[] = Object.values(pageControls)
  .flat()
  .flatMap(({ controls }) => controls)
  .filter(({ calls }) => calls.length > 0)
