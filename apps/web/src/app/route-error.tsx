import { Box, Button } from '@mantine/core'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { Icon } from '../ui/icon.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { LoadingRows } from '../ui/page/loading.tsx'
import { findFate, isMissingPart, type PartFate } from './missing-part.ts'

/** Instead of a page that cannot be shown. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  return (
    <Box p="md">
      {isMissingPart(error) ? (
        <MissingPage error={error} />
      ) : (
        <ErrorState
          error={error}
          title="This page cannot be shown"
          onRetry={() => {
            reset()
            void router.invalidate()
          }}
        />
      )}
    </Box>
  )
}

const sentences: Record<PartFate, { title: string; text: string }> = {
  gone: { title: 'Printyard was updated', text: 'What is open here is from before the update. Reload it to go on.' },
  away: {
    title: 'The service does not answer',
    text: 'This page could not be loaded. Reload it once the connection is back.',
  },
  there: { title: 'This page was not loaded', text: 'The connection broke on the way. Reload it to go on.' },
}

/** A part of the dashboard did not come. Reloading brings all of it again, once there is a service that answers. */
function MissingPage({ error }: { error: unknown }) {
  const [fate, setFate] = useState<PartFate>()
  useEffect(() => {
    let isOver = false
    void findFate(error).then((found) => {
      if (!isOver) setFate(found)
    })
    return () => {
      isOver = true
    }
  }, [error])
  if (fate === undefined) return <LoadingRows />

  const reload = async () => {
    const found = await findFate(error)
    // Without a service the browser would show a page of its own, which never comes back by itself.
    if (found === 'away') setFate(found)
    else location.reload()
  }
  const { title, text } = sentences[fate]
  return (
    <div role="alert">
      <EmptyState
        icon="retry"
        title={title}
        action={
          <Button leftSection={<Icon name="retry" size={16} />} onClick={() => void reload()}>
            Reload
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}
