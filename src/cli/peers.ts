import { ArgumentError, runCommand } from './arguments.ts';
import { nativePeers, nativeUsage } from './peers/native.ts';
import { nativeTraining, nativeTrainingUsage } from './peers/native-training.ts';
import { rooflinePeers, rooflineUsage } from './peers/roofline.ts';
import { spreadOfRuns, spreadUsage } from './peers/spread.ts';
import { spreadOfSweeps, sweepSpreadUsage } from './peers/sweepSpread.ts';
import { cpuTrainingPeers, cpuTrainingUsage } from './peers/training-cpu.ts';
import { trainingPeers, trainingUsage } from './peers/training.ts';

const usage = [
  nativeUsage,
  rooflineUsage,
  spreadUsage,
  sweepSpreadUsage,
  trainingUsage,
  cpuTrainingUsage,
  nativeTrainingUsage,
].join('\n       ');

await runCommand(usage, async () => {
  const [peer, ...rest] = process.argv.slice(2);
  if (peer === 'roofline') return rooflinePeers(rest);
  if (peer === 'spread') return spreadOfRuns(rest);
  if (peer === 'sweep-spread') return spreadOfSweeps(rest);
  if (peer === 'training')
    return rest.some((word) => word === 'cpu' || word === '--device=cpu')
      ? cpuTrainingPeers(rest)
      : trainingPeers(rest);
  if (peer === 'native-training') return nativeTraining(rest);
  if (peer === 'native') return nativePeers(rest);
  throw new ArgumentError(
    `expected native, native-training, roofline, spread, sweep-spread or training, got '${peer ?? ''}'`,
  );
});
