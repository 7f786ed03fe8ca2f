import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import '@mantine/core/styles.layer.css'
import '@mantine/notifications/styles.layer.css'
import './app.css'
import { createQueryClient } from '../lib/query-client.ts'
import { keepFocus } from '../ui/page/lost-focus.ts'
import { followInstallOffer } from './installed/install-offer.ts'
import { linkWorker } from './installed/worker-link.ts'
import { Providers } from './providers.tsx'
import { createDashboardRouter } from './router.tsx'

const root = document.getElementById('root')
if (root === null) throw new Error('index.html has no element with the id "root"')

keepFocus(document)
const queryClient = createQueryClient()
const router = createDashboardRouter(queryClient)
followInstallOffer()
linkWorker((path) => void router.navigate({ href: path }))
createRoot(root).render(
  <StrictMode>
    <Providers queryClient={queryClient} router={router} />
  </StrictMode>,
)
