import { Alert, Button, Text } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { t } from '../../lib/i18n/t.ts'
import { Icon } from '../../ui/icon.tsx'
import { watchCodes, whyNoCamera } from './watch-codes.ts'
import './camera-scan.css'

/** The camera of the device, once a person asks for it; or why there is none. */
export function CameraScan({ onCode }: { onCode: (text: string) => void }) {
  const [isOn, setIsOn] = useState(false)
  const [problem, setProblem] = useState(whyNoCamera)
  if (problem !== undefined) {
    return (
      <Alert icon={<Icon name="camera" />} title={t('No camera here')} color="gray">
        {problem}
      </Alert>
    )
  }
  if (!isOn) {
    return (
      <Button size="lg" fullWidth leftSection={<Icon name="camera" size={22} />} onClick={() => setIsOn(true)}>
        {t('Scan with the camera')}
      </Button>
    )
  }
  return <Viewfinder onCode={onCode} onFail={setProblem} />
}

function Viewfinder({ onCode, onFail }: { onCode: (text: string) => void; onFail: (why: string) => void }) {
  const video = useRef<HTMLVideoElement>(null)
  const handlers = useRef({ onCode, onFail })
  handlers.current = { onCode, onFail }
  useEffect(() => {
    if (!video.current) return undefined
    const end = new AbortController()
    watchCodes(video.current, (text) => handlers.current.onCode(text), end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) handlers.current.onFail(whyRefused(error))
    })
    return () => end.abort()
  }, [])
  return (
    <div>
      {/* A picture without sound has nothing to caption. */}
      <video ref={video} className="viewfinder" muted playsInline aria-label={t('Camera picture')} />
      <Text size="sm" c="dimmed" ta="center">
        {t('Hold the label into the picture.')}
      </Text>
    </div>
  )
}

function whyRefused(error: unknown): string {
  if (!(error instanceof Error)) return t('The camera could not be opened.')
  if (error.name === 'NotAllowedError') return t('The camera was not allowed. The browser asks again after a reload.')
  if (error.name === 'NotFoundError') return t('This device has no camera.')
  return t('The camera could not be opened: {message}', { message: error.message })
}
