#!/bin/bash
# A search on eight machines for four hours, on machines that may be taken away.
#
#     mkdir -p search/reports search/progress
#     sbatch slurm-array.sh
#
# Slurm tells each task which one it is, and of how many. A task that is taken away is queued again and goes on where it was; so does
# one whose time is up, after: scontrol requeue JOB_TASK. When the array is over, join what the machines found:
#
#     pairsim merge search/reports --save search/found
#SBATCH --job-name=pairsim
#SBATCH --array=0-7
#SBATCH --cpus-per-task=2
#SBATCH --time=05:00:00
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=search/task-%a.log

# exec, so that a request to end reaches pairsim, which then still writes its report.
exec pairsim explore --runs 40000000 --for 4h --seed 1 --jobs 2 --resume search/progress/$SLURM_ARRAY_TASK_ID.json --report json=search/reports/$SLURM_ARRAY_TASK_ID.json
