import { MantineProvider } from '@mantine/core'
import { Notifications } from '@mantine/notifications'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { ConfirmProvider } from '../ui/dialogs/confirm.tsx'
import { cssVariables, theme } from '../ui/theme.ts'
import type { DashboardRouter } from './router.tsx'
import { styleNonce } from './style-nonce.ts'

interface ProvidersProps {
  queryClient: QueryClient
  router: DashboardRouter
}

/** What every page may reach for. */
export function Providers({ queryClient, router }: ProvidersProps) {
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={cssVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => styleNonce}
      deduplicateInlineStyles
    >
      <QueryClientProvider client={queryClient}>
        <Notifications position="bottom-center" limit={4} containerWidth="24rem" />
        <ConfirmProvider>
          <RouterProvider router={router} />
        </ConfirmProvider>
      </QueryClientProvider>
    </MantineProvider>
  )
}
