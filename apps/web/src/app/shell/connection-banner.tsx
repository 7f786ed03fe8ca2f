import { Button, Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { useConnection } from '../../lib/live/connection.tsx'
import type { Connection } from '../../lib/live/live-stream.ts'
import { useIsOutdated } from '../installed/newer-build.ts'
import { lookForNewerBuild } from '../installed/worker-link.ts'
import './connection-banner.css'

/** A short break is no one's concern. */
const calmMs = 2500

const sentences: Partial<Record<Connection, string>> = {
  reconnecting: t('The connection to the service is lost. This page may be out of date; it reconnects automatically.'),
  restarting: t('The service is starting. This page opens automatically.'),
  offline: t('This device has no network. This page may be out of date; it reconnects automatically.'),
}

/** One line below the head while the page is not live, or older than the service. */
export function ConnectionBanner() {
  const sentence = sentences[useConnection()]
  const isAway = sentence !== undefined
  const isOutdated = useIsOutdated()
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    if (!isAway) {
      setIsShown(false)
      return
    }
    const timer = setTimeout(() => setIsShown(true), calmMs)
    return () => {
      clearTimeout(timer)
      // A service that was away may have been updated.
      void lookForNewerBuild()
    }
  }, [isAway])
  return (
    <div role="status">
      {isShown && isAway && (
        <div className="connection-banner">
          <Loader size={14} color="currentColor" />
          <Text size="sm">{sentence}</Text>
        </div>
      )}
      {!isAway && isOutdated && (
        <div className="connection-banner">
          <Text size="sm">{t('Printyard was updated. This page is from before the update.')}</Text>
          <Button size="compact-sm" variant="default" onClick={() => location.reload()}>
            {t('Reload')}
          </Button>
        </div>
      )}
    </div>
  )
}
