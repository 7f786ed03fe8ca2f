import type { Printer } from '../../lib/api-types.ts'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { StatusMark } from '../../ui/status-mark.tsx'
import type { PrinterPresentation } from './printer-presentation.ts'

export function PrinterCard({ printer, shown }: { printer: Printer; shown: PrinterPresentation }) {
  const loaded = [printer.current_color, printer.current_filament_type].filter(Boolean).join(' ')
  return (
    <li className={`card edge-${shown.tone}`}>
      <div className="card-head">
        <h3>{printer.name}</h3>
        <StatusMark tone={shown.tone} word={shown.word} />
      </div>
      <p className="faint">{[printer.model, printer.location, loaded].filter(Boolean).join(' · ')}</p>
      {shown.jobName && <p className="job-name">{shown.jobName}</p>}
      {shown.progress && (
        <ProgressBar
          percent={shown.progress.percent}
          text={shown.progress.text}
          label={`Progress of the print on ${printer.name}`}
        />
      )}
      {shown.facts.length > 0 && (
        <dl className="facts">
          {shown.facts.map(({ name, value }) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {shown.note && <p className="note">{shown.note}</p>}
    </li>
  )
}
