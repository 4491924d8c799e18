/**
 * Measures several sides round by round, one after the other in each, so that a device that changes
 * its speed meanwhile does so for all of them. Times of each side, over all rounds.
 */
export async function inTurn<S>(
  sides: readonly S[],
  rounds: number,
  time: (side: S, round: number) => Promise<readonly number[]>,
): Promise<readonly (readonly number[])[]> {
  const times = sides.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, side] of sides.entries()) times[index]!.push(...(await time(side, round)));
  return times;
}
