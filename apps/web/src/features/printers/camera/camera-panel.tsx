import { Skeleton, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect } from 'react'
import { asApiError } from '../../../lib/api/api-error.ts'
import { Rich } from '../../../lib/i18n/rich.tsx'
import { t } from '../../../lib/i18n/t.ts'
import { LoadingBlock } from '../../../ui/page/loading.tsx'
import { Panel } from '../../../ui/page/panel.tsx'
import { Time } from '../../../ui/time.tsx'
import { useNearScreen } from '../list/use-near-screen.ts'
import { printerStillQuery } from '../printers.api.ts'
import { cameraSentence } from './camera-sentence.ts'
import { useObjectUrl } from './use-object-url.ts'
import './camera-panel.css'

interface CameraPanelProps {
  printerId: string
  name: string
}

/** What the camera sees, renewed every few seconds while it is looked at. */
export function CameraPanel({ printerId, name }: CameraPanelProps) {
  const [ref, isShown] = useNearScreen<HTMLDivElement>()
  const isWanted = useRouterState({ select: ({ location }) => location.hash === 'camera' })
  // The page comes piece by piece: this one is here only after the address was read.
  useEffect(() => {
    if (isWanted) document.getElementById('camera')?.scrollIntoView({ block: 'center' })
  }, [isWanted])
  const still = useQuery(printerStillQuery(printerId, isShown))
  const url = useObjectUrl(still.data)
  const sentence = still.error ? cameraSentence(asApiError(still.error)) : undefined
  return (
    <Panel title={t('Camera')}>
      <div ref={ref} id="camera">
        {sentence !== undefined && (
          <Text size="sm" c="dimmed" mb={url === undefined ? 0 : 'xs'}>
            {sentence}
          </Text>
        )}
        {url !== undefined && (
          <>
            <img src={url} alt={t('Camera picture of {name}', { name })} className="camera-still" />
            <Text size="xs" c="dimmed" mt={4}>
              <Rich text="Taken {time}" values={{ time: <Time at={new Date(still.dataUpdatedAt).toISOString()} /> }} />
            </Text>
          </>
        )}
        {/* Out of sight it is not asked for, so the page does not wait for it. */}
        {url === undefined &&
          sentence === undefined &&
          (isShown ? <LoadingBlock height={180} /> : <Skeleton height={180} />)}
      </div>
    </Panel>
  )
}
