import { Modal, Text, UnstyledButton } from '@mantine/core'
import { use, useState } from 'react'
import { failurePictureAddress } from '../../lib/api/file-addresses.ts'
import { formatMoment } from '../../lib/format.ts'
import { t } from '../../lib/i18n/t.ts'
import { TimeZoneContext, useNowMs } from '../time.tsx'
import './camera-picture.css'

interface CameraPictureProps {
  failureId: string
  /** When the camera took it. */
  takenAt: string
  printerName: string
}

/** What the camera of a printer saw when a print failed or was stopped: small, and large once it is pressed. */
export function CameraPicture({ failureId, takenAt, printerName }: CameraPictureProps) {
  const [isLarge, setIsLarge] = useState(false)
  const timeZone = use(TimeZoneContext)
  const nowMs = useNowMs()
  const time = formatMoment(Date.parse(takenAt), nowMs, timeZone === undefined ? {} : { timeZone })
  const title = t('Camera picture of {printer_name}, {time}', { printer_name: printerName, time })
  return (
    <>
      <UnstyledButton className="camera-picture" title={t('Show it larger')} onClick={() => setIsLarge(true)}>
        <img src={failurePictureAddress(failureId, 'small')} alt={title} loading="lazy" decoding="async" />
      </UnstyledButton>
      <Modal opened={isLarge} onClose={() => setIsLarge(false)} size="xl" title={<Text fw={650}>{title}</Text>}>
        <img src={failurePictureAddress(failureId, 'full')} alt={title} className="camera-picture-whole" />
      </Modal>
    </>
  )
}
