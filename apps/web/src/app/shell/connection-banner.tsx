import { Loader, Text } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useConnection } from '../../lib/live/connection.tsx'
import type { Connection } from '../../lib/live/live-stream.ts'
import './connection-banner.css'

/** A short break is no one's concern. */
const calmMs = 2500

const sentences: Partial<Record<Connection, string>> = {
  reconnecting: 'The connection to the service is lost. What you see may be old; it goes on by itself.',
  restarting: 'The service is starting. This page goes on by itself.',
  offline: 'This device has no network. What you see may be old; it goes on by itself.',
}

/** One line below the head while the page is not live. */
export function ConnectionBanner() {
  const sentence = sentences[useConnection()]
  const isAway = sentence !== undefined
  const [isShown, setIsShown] = useState(false)
  useEffect(() => {
    if (!isAway) {
      setIsShown(false)
      return
    }
    const timer = setTimeout(() => setIsShown(true), calmMs)
    return () => clearTimeout(timer)
  }, [isAway])
  return (
    <div role="status">
      {isShown && isAway && (
        <div className="connection-banner">
          <Loader size={14} color="currentColor" />
          <Text size="sm">{sentence}</Text>
        </div>
      )}
    </div>
  )
}
