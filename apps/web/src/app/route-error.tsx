import { Box, Button } from '@mantine/core'
import { backoffMs } from '@printyard/sdk/waits'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { isServiceAway } from '../lib/api/api-error.ts'
import { t } from '../lib/i18n/t.ts'
import { Icon } from '../ui/icon.tsx'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { ErrorState } from '../ui/page/error-state.tsx'
import { LoadingRows } from '../ui/page/loading.tsx'
import { findFate, isMissingPart, type PartFate } from './missing-part.ts'

/** Instead of a page that cannot be shown. */
export function RouteError({ error, reset }: ErrorComponentProps) {
  const router = useRouter()
  const tryAgain = () => {
    reset()
    void router.invalidate()
  }
  return (
    <Box p="md">
      {isMissingPart(error) ? (
        <MissingPage error={error} />
      ) : isServiceAway(error) ? (
        <AwayPage onRetry={tryAgain} />
      ) : (
        <ErrorState error={error} title={t('This page cannot be shown')} onRetry={tryAgain} />
      )}
    </Box>
  )
}

const longestWaitMs = 30_000

/** The page was opened while the service is away. It comes by itself: the wall of a farm has no one who presses a button. */
function AwayPage({ onRetry }: { onRetry: () => void }) {
  const [attempt, setAttempt] = useState(0)
  useEffect(() => {
    const timer = setTimeout(
      async () => {
        if (await isServiceReady()) onRetry()
        else setAttempt((count) => count + 1)
      },
      backoffMs(attempt, longestWaitMs),
    )
    return () => clearTimeout(timer)
  }, [attempt, onRetry])
  return (
    <div role="alert">
      <EmptyState
        icon="retry"
        title={navigator.onLine ? t('The service does not answer') : t('This device has no network')}
        action={
          <Button leftSection={<Icon name="retry" size={16} />} onClick={onRetry}>
            {t('Try again')}
          </Button>
        }
      >
        {t('Printers continue their prints. This page opens automatically once the service answers.')}
      </EmptyState>
    </div>
  )
}

/** Whether the service answers requests again, by its own word. */
async function isServiceReady(): Promise<boolean> {
  try {
    return (await fetch('/readyz', { cache: 'no-store' })).ok
  } catch {
    // No answer at all.
    return false
  }
}

const sentences: Record<PartFate, { title: string; text: string }> = {
  gone: {
    title: t('Printyard was updated'),
    text: t('This page is from before the update. Reload it to go on.'),
  },
  away: {
    title: t('The service does not answer'),
    text: t('This page could not be loaded. Reload it once the connection is back.'),
  },
  there: { title: t('This page was not loaded'), text: t('The connection broke on the way. Reload it to go on.') },
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
            {t('Reload')}
          </Button>
        }
      >
        {text}
      </EmptyState>
    </div>
  )
}
