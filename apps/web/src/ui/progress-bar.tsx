/** `percent` is 0–100; `label` names what progresses, `text` stands above the bar. */
export function ProgressBar({ percent, label, text }: { percent: number; label: string; text: string }) {
  return (
    <div className="progress">
      <span className="progress-text">{text}</span>
      <progress max={100} value={percent} aria-label={label} />
    </div>
  )
}
