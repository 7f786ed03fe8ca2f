import { Box, Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { asApiError } from '../lib/api/api-error.ts'
import { ErrorState } from '../ui/error-state.tsx'

/** Instead of a page that cannot be shown. A part of the dashboard that is gone after an update comes with a new page. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const isOldPage = /dynamically imported module|module script failed/i.test(asApiError(error).message)
  return (
    <Box p="md">
      <ErrorState
        error={isOldPage ? new Error('The dashboard was updated. Load it anew.') : error}
        title="This page cannot be shown"
        {...(!isOldPage && {
          onRetry: () => {
            reset()
            void router.invalidate()
          },
        })}
      />
      {isOldPage && (
        <Button mt="sm" onClick={() => location.reload()}>
          Load anew
        </Button>
      )}
    </Box>
  )
}
