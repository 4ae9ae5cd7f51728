# The sources that `simulate` does not need, unless it replays an application or reads a log or rules of a library. What stands for them in kakehashi-simulate is in
# src/on_demand/simulate_main.cpp.
set(not_simulating
    "library/.*" "calibration/.*" "input/(catalogue|growth|import|trace)/.*" "input/scenario/(fingerprint|replay_reader|sweep_.*|ti_form_reader)"
    "input/log/log_.*" "input/platform/(mpich_rules|open_mpi_6_rules|open_mpi_rules|rules_reader)"
    "study/(explain|fit|gpu|score|sweep)/.*" "study/training/(explanation|layout_search)"
    "study/machine/(export|exported_costs|rule_grid|traced_job)"
    "report/(calibration|check|collective_fit|comparison|explanation|inventory|launch|log|recording_comparison|sensitivity|sweep|tuning|validation)_report"
    "report/page/(calibration|comparison|explanation|sweep|tuning|validation)_page" "result/(comparison|sweep_record|tuning)"
    "writer/(blueprint|gpu_tuner|graphviz|infragraph|mpich|platform|rules|simgrid|trace)_writer" "writer/(json_edit|rank_files)"
    "command/(calibrate|candidate_lines|check|collective_logs|commands|compare|compare_recordings|completion|completion_names|device_map)"
    "command/(errand|explain|explained_logs|export|gpu_tune|import|import_parts|list|man|measurements|node_sheets|record|result_file)"
    "command/(sweep|tune|tuned_rules|validate)" "command/shell/recorder_build")
