import { startBambuPeer } from '../../test/bambu-peer.ts'
import { describeDriver } from '../../test/conformance/describe-driver.ts'
import { describeRunTruth } from '../../test/conformance/describe-run-truth.ts'

describeDriver('bambu', startBambuPeer)
describeRunTruth('a P1S', 'bambu', startBambuPeer)
